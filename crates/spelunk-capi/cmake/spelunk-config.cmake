# find_package(spelunk): the targets spelunk::spelunk, the shared library, and spelunk::static.
#
# The file lies in share/spelunk/cmake below the prefix under which everything was installed.
get_filename_component(_spelunk_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

cmake_minimum_required(VERSION 3.21)

# Of this installation alone: there may be others.
find_path(spelunk_INCLUDE_DIR spelunk.h
  PATHS "${_spelunk_prefix}/include" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE REQUIRED)
find_library(spelunk_SHARED
  NAMES "${CMAKE_SHARED_LIBRARY_PREFIX}spelunk${CMAKE_SHARED_LIBRARY_SUFFIX}" spelunk.dll.a spelunk.dll.lib
  PATHS "${_spelunk_prefix}/lib" PATH_SUFFIXES "${CMAKE_LIBRARY_ARCHITECTURE}" ../lib64
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
find_library(spelunk_STATIC
  NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}spelunk${CMAKE_STATIC_LIBRARY_SUFFIX}" spelunk.lib
  PATHS "${_spelunk_prefix}/lib" PATH_SUFFIXES "${CMAKE_LIBRARY_ARCHITECTURE}" ../lib64
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)

if(spelunk_SHARED AND NOT TARGET spelunk::spelunk)
  add_library(spelunk::spelunk UNKNOWN IMPORTED)
  set_target_properties(spelunk::spelunk PROPERTIES
    IMPORTED_LOCATION "${spelunk_SHARED}" INTERFACE_INCLUDE_DIRECTORIES "${spelunk_INCLUDE_DIR}")
endif()

if(spelunk_STATIC AND NOT TARGET spelunk::static)
  find_package(Threads REQUIRED)
  add_library(spelunk::static STATIC IMPORTED)
  set_target_properties(spelunk::static PROPERTIES
    IMPORTED_LOCATION "${spelunk_STATIC}" INTERFACE_INCLUDE_DIRECTORIES "${spelunk_INCLUDE_DIR}")
  target_link_libraries(spelunk::static INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
  if(WIN32)
    target_link_libraries(spelunk::static INTERFACE bcrypt ntdll userenv ws2_32)
  elseif(UNIX)
    target_link_libraries(spelunk::static INTERFACE m)
  endif()
endif()

if(NOT TARGET spelunk::spelunk AND NOT TARGET spelunk::static)
  set(spelunk_FOUND FALSE)
  set(spelunk_NOT_FOUND_MESSAGE "no library of spelunk lies in ${_spelunk_prefix}/lib")
endif()
unset(_spelunk_prefix)
